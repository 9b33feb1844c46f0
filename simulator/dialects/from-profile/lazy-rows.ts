/**
 * The rows of a list in a body, which are computed and written one by one. A class, so that a serializer distinguishes them
 * from an object or an array of the body.
 */
export class LazyRows {
  readonly rows: Iterable<unknown>;
  constructor(rows: Iterable<unknown>) {
    this.rows = rows;
  }
}

/** The members of an object some of whose names are repeated, which a JavaScript object cannot contain. */
export class RepeatedMembers {
  readonly members: readonly (readonly [string, unknown])[];
  constructor(members: readonly (readonly [string, unknown])[]) {
    this.members = members;
  }
}
