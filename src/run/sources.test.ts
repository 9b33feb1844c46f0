import { describe, expect, test } from 'vitest';
import { bodyFrom } from '../exchange/body.ts';
import { type Exchange, FAILURE_KINDS, type Source, WIRE_ASPECTS, type WireAspect } from '../exchange/types.ts';
import { failureOf } from '../exchange/wire/failures.ts';
import { sendShown, whyNotShown } from './sources.ts';

const URL_OF_LIST = 'http://localhost/PLATFORMAPI/prodRef/v1/allProducts';

const exchangeOf = (url: string, more: Partial<Exchange> = {}): Exchange => ({
  request: { method: 'GET', url, headers: [] },
  body: bodyFrom(new Uint8Array(0)),
  redirects: [],
  timing: { startedAt: '', totalMs: 0 },
  ...more,
});

/** A source that hides these aspects, and the URLs that it sent. */
function sourceHiding(hides: readonly WireAspect[] | undefined): { readonly source: Source; readonly sent: string[] } {
  const sent: string[] = [];
  const source: Source = {
    ...(hides && { hides }),
    async send({ url }) {
      sent.push(url);
      return exchangeOf(url);
    },
    async close() {},
  };
  return { source, sent };
}

const send = async (source: Source, url: string) =>
  (await sendShown(source, { method: 'GET', url, headers: [] }, async () => undefined)).failure?.kind;

describe('a target that a URL parser changes', () => {
  test.each(['/a/../b', '/a/./b', '/a/%2e%2e/b', '/a\\b', '/a\tb', '/ä', '/a?b=ä', '/a?b="c"'])(
    '%j is not sent',
    async (path) => {
      const { source, sent } = sourceHiding(['rawTarget']);
      expect(await send(source, `http://localhost${path}`)).toBe('notShown');
      expect(sent).toEqual([]);
      const { source: live, sent: sentLive } = sourceHiding(undefined);
      expect(await send(live, `http://localhost${path}`)).toBeUndefined();
      expect(sentLive).toHaveLength(1);
    },
  );

  test.each(['/a/b', '/a//b', '/a%2Fb', '/a%00b', '/a%C3%A4', "/a?b=Kellogg's", '/a?b=%27&c', '/A/b;c=d', '/a/'])(
    '%j is as written, and sent',
    async (path) => {
      const { source, sent } = sourceHiding(['rawTarget']);
      expect(await send(source, `http://localhost${path}`)).toBeUndefined();
      expect(sent).toEqual([`http://localhost${path}`]);
    },
  );
});

const HIDDEN: Record<string, WireAspect> = { reset: 'connection', protocol: 'framing', truncated: 'framing' };

test.each(FAILURE_KINDS.filter((kind) => kind !== 'notShown'))('a failure of the kind %s', (kind) => {
  const failed = exchangeOf(URL_OF_LIST, { failure: failureOf(kind, 'GET', URL_OF_LIST) });
  const aspect = HIDDEN[kind];
  const { source: all } = sourceHiding(Object.keys(WIRE_ASPECTS) as WireAspect[]);
  const why = whyNotShown(all, [exchangeOf(URL_OF_LIST), failed], undefined);
  if (aspect === undefined) expect(why).toBeUndefined();
  else expect(why).toContain(WIRE_ASPECTS[aspect]);
  const { source: others } = sourceHiding(
    (Object.keys(WIRE_ASPECTS) as WireAspect[]).filter((each) => each !== aspect),
  );
  expect(whyNotShown(others, [failed], undefined)).toBeUndefined();
  expect(whyNotShown(sourceHiding(undefined).source, [failed], undefined)).toBeUndefined();
});

const coded = exchangeOf(URL_OF_LIST, {
  response: { status: 200, reasonPhrase: '', headers: [['Content-Encoding', 'br']] },
});
const plain = exchangeOf(URL_OF_LIST, { response: { status: 200, reasonPhrase: '', headers: [] } });
test.each([
  ['a coded body that does not decode', coded, 'encoding', true],
  ['a coded body that ends early', coded, 'truncated', true],
  ['a coded body of broken JSON', coded, 'syntax', false],
  ['a body without a coding that does not decode', plain, 'encoding', false],
] as const)('%s', (_, exchange, kind, isHidden) => {
  const problem = { kind, message: 'why' };
  const { source } = sourceHiding(['contentCoding']);
  expect(whyNotShown(source, [exchange], problem) !== undefined).toBe(isHidden);
  expect(whyNotShown(sourceHiding(['framing']).source, [exchange], problem)).toBeUndefined();
});
