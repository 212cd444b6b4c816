import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Reads a file of one frame, and one of many, through zstd-jni, as docs/readers.md says: Readers WANTED ONE MANY. */
public class Readers {
    interface Reader {
        byte[] read(Path path) throws Exception;
    }

    static boolean takes(byte[] wanted, String path, Reader reader) {
        try {
            return Arrays.equals(wanted, reader.read(Path.of(path)));
        } catch (Exception error) {
            System.out.println("    " + error);
            return false;
        }
    }

    static boolean check(byte[] wanted, String[] names, String what, boolean takesMany, Reader reader) {
        boolean one = takes(wanted, names[1], reader), many = takes(wanted, names[2], reader);
        System.out.println(what + ": one frame " + one + ", many " + many);
        return one && many == takesMany;
    }

    public static void main(String[] names) throws Exception {
        byte[] wanted = Files.readAllBytes(Path.of(names[0]));
        boolean isTrue = check(wanted, names, "ZstdInputStream", true, path -> {
            ByteArrayOutputStream output = new ByteArrayOutputStream();
            try (ZstdInputStream input = new ZstdInputStream(Files.newInputStream(path))) {
                input.transferTo(output);
            }
            return output.toByteArray();
        });
        isTrue &= check(wanted, names, "decompress into decompressedSize", false, path -> {
            byte[] data = Files.readAllBytes(path);
            return Zstd.decompress(data, (int) Zstd.decompressedSize(data));
        });
        System.exit(isTrue ? 0 : 1);
    }
}
