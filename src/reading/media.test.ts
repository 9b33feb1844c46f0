import { describe, expect, it } from 'vitest';
import { type Media, mediaOf } from './media.ts';

const head = (type: string | undefined, status = 200) => ({
  status,
  reasonPhrase: '',
  headers: type === undefined ? [] : ([['Content-Type', type]] as const),
});

describe('the format of a body', () => {
  it.each<[string | undefined, Media | undefined]>([
    ['application/json', 'json'],
    ['Application/JSON; charset=utf-8', 'json'],
    ['text/json', 'json'],
    ['application/problem+json', 'json'],
    ['application/vnd.prices.v2+json', 'json'],
    ['application/x-ndjson', 'ndjson'],
    ['application/ndjson', 'ndjson'],
    ['application/jsonl', 'ndjson'],
    ['application/json-seq', 'ndjson'],
    ['text/plain', 'text'],
    ['text/html; charset=utf-8', 'text'],
    ['application/xhtml+xml', 'text'],
    ['text/csv; header=present', 'csv'],
    ['application/csv', 'csv'],
    ['text/tab-separated-values', 'csv'],
    ['text/xml', 'xml'],
    ['application/xml; charset=utf-8', 'xml'],
    ['application/problem+xml', 'xml'],
    ['application/octet-stream', undefined],
    ['application/jsonx', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s says %s', (type, media) => {
    expect(mediaOf(undefined, head(type))).toBe(media);
  });

  it('is what the profile declares, for successful responses', () => {
    expect(mediaOf('ndjson', head('application/json'))).toBe('ndjson');
    expect(mediaOf('json', head(undefined))).toBe('json');
    expect(mediaOf('json', head('text/html', 502))).toBe('text');
    expect(mediaOf('json', head(undefined, 404))).toBeUndefined();
  });
});
