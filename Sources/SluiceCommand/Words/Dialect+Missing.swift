import Sluice
import SystemPackage

/// Words that are no options.
extension Dialect {
    /// What is said about a word that is no option, and which is meant.
    static func unknown(_ name: String) -> UsageError {
        let sentence = "unknown option \(FilePath(name).printable)"
        guard let nearest = nearest(to: String(name.dropFirst(2))) else { return UsageError(sentence) }
        return UsageError(sentence, hint: "did you mean --\(nearest)?")
    }

    /// The option whose name begins so, or has one letter more or less, another one, or one in another place.
    private static func nearest(to word: String) -> String? {
        guard word.count > 2 else { return nil }
        let longer = names.filter { $0.hasPrefix(word) }
        let similar = names.filter { word.count > 3 && $0.difference(from: word).count <= 2 }
        return (longer.isEmpty ? similar : longer).min {
            $0.difference(from: word).count < $1.difference(from: word).count
        }
    }
}
