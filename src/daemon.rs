//! Owns the supervisor: ports, sinks, signals, the service manager.
