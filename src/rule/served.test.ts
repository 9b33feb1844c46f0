import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../contract/index.ts';
import type { Signature } from '../reading/signature.ts';
import { BLOCKED, controlPath, controlPaths, isBlocking, presenceOf } from './served.ts';
import type { Reading } from './types.ts';

test.each([
  [403, {}, true],
  [403, { unknown: [403] }, false],
  [503, { malformed: [503] }, false],
  [404, {}, false],
  [419, { unauthorized: [419] }, true],
  [509, { tooMany: [509] }, true],
])('%i with %j prevents a judgement: %s', (status, stated, expected) => {
  expect(isBlocking(status, stated)).toBe(expected);
});

describe('the path of a control', () => {
  test.each(OPERATIONS.map((each) => [each.key, each] as const))('of %s is a sibling that cannot exist', (_, each) => {
    const { before, after } = controlPaths(each.key);
    const documented = new Set<string>(OPERATIONS.map(({ path }) => path));
    expect(before).not.toBe(after);
    for (const control of [before, after]) {
      expect(documented.has(control)).toBe(false);
      const [own, other] = [each.path.split('/'), control.split('/')];
      const changed = own.flatMap((segment, at) => (segment === other[at] ? [] : [at]));
      expect(other.length).toBe(own.length);
      expect(changed).toEqual([own.findLastIndex((segment) => !segment.startsWith('{'))]);
      // As long and as cased, so that no length limit or case rule tells it apart.
      expect(control.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A')).toBe(
        each.path
          .replace(/[a-z](?![^{]*\})/g, 'a')
          .replace(/[A-Z](?![^{]*\})/g, 'A')
          .replace('{upc}', '{aaa}'),
      );
    }
  });

  test('is the same in every run and differs with its seed', () => {
    const path = '/webservices/testService';
    expect(controlPath(path, 'one')).toBe(controlPath(path, 'one'));
    const many = new Set(Array.from({ length: 200 }, (_, at) => controlPath(path, String(at))));
    expect(many.size).toBe(200);
  });

  test('changes the last fixed segment, whatever path is given', () => {
    expect(controlPath('/a/b/{upc}', 's')).toMatch(/^\/a\/[zxqjkvw]\/\{upc\}$/);
    expect(controlPath('/a/Bc', 's')).toMatch(/^\/a\/[ZXQJKVW][zxqjkvw]$/);
    expect(controlPaths('GET /webservices/getSaveMap', '/other/ab').before).toMatch(/^\/other\/[a-z]{2}$/);
  });
});

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string;
  readonly location?: string;
  readonly url?: string;
}
const URLS = ['http://h/webservices/drive', 'http://h/webservices/zxqjk', 'http://h/webservices/kvwzx'] as const;

/** The reading of an answer; `undefined` is one that never came. */
function reading(answer: Answer | undefined, url: string): Reading {
  const bare = { exchange: '#1', operation: 'POST /webservices/drive', inputs: {}, folds: {} } as const;
  if (!answer) return { ...bare, failure: 'connection refused' };
  const { status = 404, type = 'application/json', body = '', location = '' } = answer;
  const signature: Signature = { url, status, type, location, body };
  return { ...bare, head: { status, reasonPhrase: '', headers: [] }, signature };
}
const judge = (tested: Answer | undefined, before: Answer | undefined, after: Answer | undefined = before) =>
  presenceOf(reading(tested, URLS[0]), reading(before, URLS[1]), reading(after, URLS[2]));

describe('served', () => {
  test.each<[string, Answer, Answer, RegExp]>([
    ['another status', { status: 200 }, { status: 404 }, /^status 200, while paths that cannot exist return 404$/],
    ['a complaint about the request', { status: 400 }, { status: 404 }, /^status 400, while/],
    ['its own 500 among 404s', { status: 500 }, { status: 404 }, /^status 500, while/],
    ['another text', { body: 'no such job' }, { body: 'no such route' }, /^status 404; body differs/],
    ['another media type', { type: 'application/xml' }, { type: 'text/html' }, /^status 404; type differs/],
    [
      'another redirect',
      { status: 302, location: '/jobs' },
      { status: 302, location: '/login' },
      /^status 302; location differs/,
    ],
    ['a 200 unlike the 200 of a fallback page', { status: 200, body: '[]' }, { status: 200, body: 'home' }, /body/],
    // If the server returns 405 for every path, the status is no evidence, but the body still differs from the controls.
    [
      'a 405 among 405s, with another body',
      { status: 405, body: 'a' },
      { status: 405, body: 'b' },
      /status 405; body differs/,
    ],
  ])('by %s', (_, tested, control, says) => {
    expect(judge(tested, control)).toEqual({ is: 'served', reason: expect.stringMatching(says) });
  });

  test('by a feature in which the controls agree, although they differ in another', () => {
    expect(judge({ status: 200, body: 'x' }, { body: 'left' }, { body: 'right' })).toMatchObject({ is: 'served' });
  });
});

describe('not shown to be served', () => {
  test('by what the controls differ in themselves', () => {
    expect(judge({ body: 'x' }, { body: 'left' }, { body: 'right' })).toMatchObject({ is: 'absent', isCertain: false });
  });

  test('by echoing its own path', () => {
    const echo = (path: string): Answer => ({ body: `Cannot POST ${path}` });
    const seen = presenceOf(
      reading(echo('/webservices/drive'), URLS[0]),
      reading(echo('/webservices/zxqjk'), URLS[1]),
      reading(echo('/webservices/kvwzx'), URLS[2]),
    );
    expect(seen).toMatchObject({ is: 'absent', isCertain: false, reason: expect.stringContaining('404') });
  });

  test.each([405, 501])(
    'by refusing the method (%i) where the controls are merely not found: absent for certain',
    (status) => {
      expect(judge({ status }, { status: 404 })).toEqual({
        is: 'absent',
        isCertain: true,
        reason: `status ${status}, while paths that cannot exist return 404`,
      });
      // If one control gets the same status, it is no evidence about the operation.
      expect(judge({ status }, { status }, { status: 404 })).not.toMatchObject({ isCertain: true });
    },
  );

  test.each([...BLOCKED])('%i to paths that cannot exist too hides everything', (status) => {
    expect(judge({ status, body: 'a' }, { status, body: 'b' })).toMatchObject({ is: 'hidden' });
    expect(judge({ status }, { status }, { status: 404 })).toMatchObject({ is: 'hidden' });
  });

  test('a status that the profile states as a refusal hides the operation, too; no stated meaning reveals it', () => {
    const same = (status: number, stated: Parameters<typeof presenceOf>[3]) => {
      const [tested, before, after] = URLS.map((url) => reading({ status }, url)) as [Reading, Reading, Reading];
      return presenceOf(tested, before, after, stated).is;
    };
    expect(same(420, {})).toBe('absent');
    expect(same(420, { tooMany: [420] })).toBe('hidden');
    expect(same(403, { unknown: [403] })).toBe('hidden');
  });

  test.each([401, 403, 429, 502, 503])(
    'its own %i among 404s: a gateway may ask for credentials whatever the method',
    (status) => {
      expect(judge({ status }, { status: 404 })).toEqual({
        is: 'hidden',
        reason: `status ${status} prevents a judgement`,
      });
    },
  );

  test.each([429, 503])('an overload of %i on paths that cannot exist proves nothing', (status) => {
    expect(judge({ status: 404 }, { status }).is).toBe('hidden');
    expect(judge({ status: 200 }, { status }).is).toBe('hidden');
  });

  test.each([200, 204, 301, 302])('the same %i for every path hides the operation', (status) => {
    expect(judge({ status, location: '/login' }, { status, location: '/login' })).toEqual({
      is: 'hidden',
      reason: `paths that cannot exist return the same ${status}`,
      isOnEveryPath: true,
    });
  });

  test.each([
    ['one page', (path: string) => `/login?next=${path}`, true],
    ['the same path elsewhere', (path: string) => `https://other.example${path}`, false],
  ])('a redirect of every path to %s', (_, to, isOnEveryPath) => {
    const away = (url: string) => reading({ status: 302, location: to(new URL(url).pathname) }, url);
    const [tested, before, after] = URLS.map(away) as [Reading, Reading, Reading];
    expect(presenceOf(tested, before, after)).toMatchObject({ is: 'hidden', isOnEveryPath });
  });

  test.each([404, 400, 500, 410])('the same %i for every path means absent, but not certainly', (status) => {
    expect(judge({ status }, { status })).toMatchObject({ is: 'absent', isCertain: false });
  });

  test('a missing response hides the operation, whether its own or that of a control', () => {
    for (const [tested, before, after] of [
      [undefined, {}, {}],
      [{ status: 200 }, undefined, {}],
      [{ status: 200 }, {}, undefined],
      [undefined, undefined, undefined],
    ] as const) {
      const seen = presenceOf(reading(tested, URLS[0]), reading(before, URLS[1]), reading(after, URLS[2]));
      expect(seen).toEqual({ is: 'hidden', reason: 'no response: connection refused' });
    }
  });
});
