// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the Sluice authors
import PackageDescription

func program(_ name: String, _ others: Target.Dependency...) -> Target {
    .executableTarget(
        name: name, dependencies: [.product(name: "Sluice", package: "sluice")] + others, path: name + "/Sources")
}

/// Programs that use the library as strangers do: they import it, and what they need besides.
let package = Package(
    name: "examples",
    dependencies: [
        .package(name: "sluice", path: ".."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        program("FrontPage"),
        program("BatchJob"),
        program("LogLines"),
        program("Buffers", .product(name: "NIOCore", package: "swift-nio")),
        program("ByteServer", .product(name: "Hummingbird", package: "hummingbird")),
    ],
    swiftLanguageModes: [.v6]
)
