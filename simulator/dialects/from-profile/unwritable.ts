/** A part of a profile outside the subset that the simulator can write. */

export interface Unwritable {
  /** e.g. `operations["GET /PLATFORMAPI/prodRef/v1/allProducts"].response.fields.upc`. */
  readonly key: string;
  readonly why: string;
}
