internal import CLz4
internal import CLzma
internal import CZlib

/// The libraries that decode the other formats, with the versions in use, such as `1.2.13`: each library says its own.
package var foreignLibraryVersions: [(name: String, version: String)] {
    [
        ("zlib", String(cString: zlibVersion())),
        ("liblzma", String(cString: lzma_version_string())),
        ("liblz4", String(cString: LZ4_versionString())),
    ]
}
