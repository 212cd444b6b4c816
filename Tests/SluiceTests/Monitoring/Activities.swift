import Sluice
import SluiceEngine

extension Activity {
    static let compress = Activity("compress", noun: "compression", content: .input)
    static let decompress = Activity("decompress", noun: "decompression", content: .output)
    static let test = Activity("test", noun: "decompression", content: .output, hasOutput: false)
    static let copy = Activity("copy", noun: "copying", content: .both)
}
