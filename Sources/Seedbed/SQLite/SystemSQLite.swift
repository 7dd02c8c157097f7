// Links the system's copy of SQLite, unless the app links its own (the trait OwnSQLite): two copies
// in one process break each other's locks.
#if !OwnSQLite
  import CSeedbedSQLiteLink
#endif
