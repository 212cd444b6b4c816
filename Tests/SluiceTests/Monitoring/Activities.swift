import Sluice
import SluiceEngine

extension Statistics.Activity {
    static let compress = Statistics.Activity("compress", noun: "compression", content: .input)
    static let decompress = Statistics.Activity("decompress", noun: "decompression", content: .output)
    static let test = Statistics.Activity("test", noun: "decompression", content: .output, hasOutput: false)
    static let copy = Statistics.Activity("copy", noun: "copying", content: .both)
}
