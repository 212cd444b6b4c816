import SluiceEngine

@testable import SluiceCommand

extension Activity {
    static let compress = Compress().activity
    static let decompress = Decompress().activity
    static let test = Check().activity
    static let copy = Copy().activity
}
