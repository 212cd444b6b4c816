// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the Sluice authors
import PackageDescription

/// Programs that use the library as strangers do: they import it, and what they need besides.
let package = Package(
    name: "examples",
    dependencies: [
        .package(name: "sluice", path: ".."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .executableTarget(
            name: "FrontPage", dependencies: [.product(name: "Sluice", package: "sluice")],
            path: "FrontPage/Sources"),
        .executableTarget(
            name: "BatchJob", dependencies: [.product(name: "Sluice", package: "sluice")],
            path: "BatchJob/Sources"),
        .executableTarget(
            name: "LogLines", dependencies: [.product(name: "Sluice", package: "sluice")],
            path: "LogLines/Sources"),
        .executableTarget(
            name: "Throughput", dependencies: [.product(name: "Sluice", package: "sluice")],
            path: "Throughput/Sources"),
        .executableTarget(
            name: "ByteServer",
            dependencies: [
                .product(name: "Sluice", package: "sluice"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "ByteServer/Sources"),
        .executableTarget(
            name: "LogKeeper",
            dependencies: [
                .product(name: "Sluice", package: "sluice"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "LogKeeper/Sources"),
    ],
    swiftLanguageModes: [.v6]
)
