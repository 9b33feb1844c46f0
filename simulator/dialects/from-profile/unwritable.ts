/** A part of a profile that the simulator cannot invert. */
export interface Unwritable {
  /** e.g. `operations["GET /PLATFORMAPI/prodRef/v1/allProducts"].response.fields.upc`. */
  readonly key: string;
  readonly why: string;
}
