/// The release of this command.
let toolVersion = "0.1.0"
