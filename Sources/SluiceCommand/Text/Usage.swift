/// What `-h` says: what most runs need, on one screen.
enum Usage {
    static let text = """
        usage: sluice [options] [file ...]

          sluice FILE                  compress it to FILE.zst
          sluice -d FILE.zst           decompress it to FILE
          sluice -t FILE.zst           verify it, and write nothing
          sluice -l FILE.zst           show frames, sizes and ratio
          tar -c DIR | sluice -o DIR.tar.zst
          sluice -d --range=0-99 FILE.zst   a part of the content

          -1 to -19, --fast, --ultra   faster or smaller; -3 if not said
          -o FILE, -c                  write to FILE, or to standard output
          -f, --rm                     replace files; remove sources when all is done
          -r                           of folders, do the files that are in them
          -D DICT                      use a dictionary
          -T4, -M512M                  threads and memory; what is there, if not said
          -q, -v, --stats              say less; say more; say what limited the run

        sluice --help lists all options, and man sluice explains them.
        """
}
