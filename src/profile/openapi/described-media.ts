/** The formats of response bodies in an OpenAPI description that a draft of a profile can read, each of several media types. */
export type DescribedMedia = 'json' | 'ndjson' | 'csv' | 'xml';
