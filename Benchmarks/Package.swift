// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the Sluice authors
import PackageDescription

/// What `scripts/bench` measures of the library: a package of its own, since it needs swift-nio. It finds `CZstd` among
/// what the library depends on.
let package = Package(
    name: "benchmarks",
    dependencies: [
        .package(name: "sluice", path: ".."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        .target(name: "CAllocations", path: "InMemory/CAllocations"),
        .executableTarget(
            name: "InMemory",
            dependencies: [
                "CAllocations", .product(name: "Sluice", package: "sluice"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "InMemory/Sources"),
        .executableTarget(
            name: "Throughput", dependencies: [.product(name: "Sluice", package: "sluice")],
            path: "Throughput/Sources"),
    ],
    swiftLanguageModes: [.v6]
)
