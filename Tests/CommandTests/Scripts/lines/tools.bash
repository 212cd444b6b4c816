# log LINES: records of random lengths, each with its number.
log() {
    awk -v lines="$1" 'BEGIN {
        srand(lines)
        for (n = 1; n <= lines; n++) {
            length_ = int(rand() * 300); text = ""
            while (length(text) < length_) text = text int(rand() * 1e9) " "
            print "record " n ": " text (n % 7 ? "" : "match")
        }
    }'
}
