internal import ByteStreams

extension StoreSettings {
    /// The first place in the order of AWS's tools that has a key, or is configured to.
    static func place(
        _ value: (String) -> String?, _ profile: Profile, _ region: String
    ) throws(Failure) -> (KeyPlace, [String]) {
        if let key = try AccessKey.inEnvironment(value) { return (.known(key, "the environment"), []) }
        try profile.refuseRole()
        if let identity = try WebIdentity(value, profile, region) { return (.webIdentity(identity), []) }
        try profile.refuseSSO()
        if let place = try profile.place() { return (place, []) }
        let searched = ["the environment", "profile \(profile.name.printable) of \(profile.places(" and "))"]
        if let container = try ContainerEndpoint(value) { return (.container(container), searched) }
        if value("AWS_EC2_METADATA_DISABLED")?.lowercased() == "true" { return (.none, searched) }
        return (.machine(try MachineEndpoint(value)), searched + ["the machine's metadata"])
    }
}
