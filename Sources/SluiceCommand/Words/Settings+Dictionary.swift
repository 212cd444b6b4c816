import Sluice
import SystemPackage
import ZstdCodec

/// What frames refer to; how they are made is in `Settings+Training`.
extension Settings {
    mutating func take(_ options: DictionaryOptions, _ paths: [FilePath]) throws(UsageError) {
        if options.patchApply != nil, !verb.heeds.contains(.patches) {
            throw UsageError("--patch-apply needs -d", hint: "--patch-from makes a difference")
        }
        dictionary = options.dictionary.map { paths[$0] }
        patchSource = (options.patchFrom ?? options.patchApply).map { paths[$0] }
        if dictionary != nil, patchSource != nil {
            throw UsageError("-D and --patch-from are two things that frames could refer to, and they refer to one")
        }
        compression.hasDictionaryIdentifier = !options.leavesIdentifierOut
        // The difference is one frame, whose window spans both.
        if verb.heeds.contains(.frames), patchSource != nil { isSingleFrame = true }
        if verb.activity.content == .both, dictionary ?? patchSource != nil {
            warnings.append("-D and --patch-from are ignored: nothing is compressed")
        }
    }
}
