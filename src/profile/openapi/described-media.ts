/** The media types of described responses that a draft can read. */

export type DescribedMedia = 'json' | 'ndjson' | 'csv' | 'xml';
