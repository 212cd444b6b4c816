// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the Sluice authors
import PackageDescription

let package = Package(
    name: "log-lines",
    dependencies: [
        .package(name: "sluice", path: "../.."),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: [
        .executableTarget(
            name: "LogLines",
            dependencies: [
                .product(name: "Sluice", package: "sluice"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Sources")
    ])
