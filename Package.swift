// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the Sluice authors
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
    .treatAllWarnings(as: .error),
    .treatWarning("DeprecatedDeclaration", as: .warning),
]

let package = Package(
    name: "sluice",
    products: [
        .executable(name: "sluice", targets: ["SluiceCommand"]),
        .library(name: "Sluice", targets: ["Sluice"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    ],
    targets: [
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CXxhash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLzma", pkgConfig: "liblzma", providers: [.apt(["liblzma-dev"])]),
        .systemLibrary(name: "CLz4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"])]),
        .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
        .target(name: "CAllocator", linkerSettings: [.linkedLibrary("jemalloc")]),
        // ISA-L is loaded when a gzip member comes; nothing of it is needed here.
        .target(name: "CIsal"),
        .target(name: "CKernel"),
        // ISA-L is loaded when parity is asked for; nothing of it is needed here.
        .target(name: "CParity"),
        .target(name: "CStages"),
        .target(name: "CStart", dependencies: ["CKernel"]),
        .target(name: "ZstdCodec", dependencies: ["CZstd", "CXxhash"], swiftSettings: settings),
        .target(name: "ForeignCodec", dependencies: ["CIsal", "CZlib", "CLzma", "CLz4"], swiftSettings: settings),
        .target(name: "Parity", dependencies: ["CParity", "CXxhash"], swiftSettings: settings),
        .target(
            name: "ByteStreams",
            dependencies: [
                "CKernel",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        // libcurl is loaded when a URL is opened; only its headers are needed here.
        .target(name: "CCurl"),
        .target(
            name: "RemoteSources",
            dependencies: [
                "ByteStreams", "CCurl", "CJansson", .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .target(
            name: "RemoteSinks",
            dependencies: [
                "ByteStreams", "RemoteSources", .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .target(
            name: "ChunkPipeline",
            dependencies: ["ByteStreams", .product(name: "DequeModule", package: "swift-collections")],
            swiftSettings: settings),
        .target(
            name: "StagedDecoding",
            dependencies: [
                "ByteStreams", "ChunkPipeline", "ZstdCodec", "CStages",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: settings),
        .target(
            name: "FrameRecovery",
            dependencies: ["ByteStreams", "ZstdCodec", .product(name: "SystemPackage", package: "swift-system")],
            swiftSettings: settings),
        .target(
            name: "Archives",
            dependencies: [
                "ByteStreams", "ZstdCodec", .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .target(
            name: "SluiceEngine",
            dependencies: [
                "ByteStreams", "ChunkPipeline", "ZstdCodec", "ForeignCodec", "StagedDecoding", "Archives",
                "FrameRecovery", "Parity", "RemoteSources", "RemoteSinks",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ],
            swiftSettings: settings),
        .target(
            name: "Sluice",
            dependencies: [
                "SluiceEngine", "Archives", "ByteStreams", "RemoteSources", "RemoteSinks", "ZstdCodec",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "SluiceCommand",
            dependencies: [
                "SluiceEngine", "ByteStreams", "ChunkPipeline", "ZstdCodec", "ForeignCodec", "Archives",
                "FrameRecovery", "Parity",
                "RemoteSources", "RemoteSinks", "CKernel",
                "CStart", "CAllocator", "CJansson",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            resources: [.embedInCode("Reports/report.html")],
            swiftSettings: settings),
        // An example of how the library is used; it is one of another manifest, and is built here too, to be tested.
        .executableTarget(
            name: "LogLines",
            dependencies: ["Sluice"], path: "Examples/LogLines/Sources"),
        .target(name: "CFaults", path: "Tests/CFaults"),
        .target(
            name: "StreamTestSupport",
            dependencies: ["ByteStreams", "CFaults", .product(name: "SystemPackage", package: "swift-system")],
            path: "Tests/StreamTestSupport", swiftSettings: settings),
        .target(
            name: "TestSupport",
            dependencies: [
                "StreamTestSupport", "ZstdCodec", "ForeignCodec", "Archives", "CZstd", "CZlib", "CLzma", "CLz4",
            ],
            path: "Tests/TestSupport", swiftSettings: settings),
        .target(
            name: "FuzzSubjects",
            dependencies: [
                "Sluice", "SluiceEngine", "ByteStreams", "ZstdCodec", "ForeignCodec", "RemoteSources", "CZstd",
                "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/Fuzzing/Subjects", swiftSettings: settings),
        .testTarget(
            name: "FuzzTests", dependencies: ["FuzzSubjects", "TestSupport", "ZstdCodec"], swiftSettings: settings),
        .testTarget(
            name: "ByteStreamsTests",
            dependencies: [
                "ByteStreams", "StreamTestSupport", "CFaults", "CKernel",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "RemoteSourcesTests",
            dependencies: [
                "RemoteSources", "RemoteSinks", "ByteStreams", "Sluice", "SluiceEngine", "StreamTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ChunkPipelineTests",
            dependencies: [
                "ChunkPipeline", "ByteStreams", "StreamTestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ForeignCodecTests", dependencies: ["ForeignCodec", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "ParityTests", dependencies: ["Parity"], swiftSettings: settings),
        .testTarget(name: "ZstdCodecTests", dependencies: ["ZstdCodec", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "StagedDecodingTests", dependencies: ["StagedDecoding", "ZstdCodec", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "ArchivesTests",
            dependencies: [
                "Archives", "ByteStreams", "ZstdCodec", "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SluiceTests",
            dependencies: [
                "Sluice", "SluiceEngine", "ByteStreams", "ChunkPipeline", "ZstdCodec", "ForeignCodec", "StagedDecoding",
                "Archives", "FrameRecovery", "Parity", "CFaults", "CKernel", "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CommandTests",
            dependencies: ["SluiceCommand", "TestSupport"],
            exclude: ["Scripts", "Fixtures"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

// Sanitizers have an allocator and a pthread_create of their own, and so has the command: scripts/test --sanitize does
// without it.
if Context.environment["SLUICE_LIBRARY_ONLY"] != nil {
    let others = ["SluiceCommand", "CommandTests", "CStart", "CAllocator"]
    package.targets.removeAll { others.contains($0.name) }
    package.products.removeAll { $0.name == "sluice" }
}

// It has its own `main`, which `scripts/campaign fuzz` links.
if Context.environment["SLUICE_FUZZER"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzzer", dependencies: ["FuzzSubjects"], path: "Tests/Fuzzing/Fuzzer",
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]))
}
