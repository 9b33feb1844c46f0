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
