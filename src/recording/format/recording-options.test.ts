import { expect, test } from 'vitest';
import { parseProfile } from '../../profile/parse-profile.ts';
import { joinRecordingOptions, profileDigest, type RecordingCommand, recordingOptionsOf } from './recording-options.ts';

const record = (...flags: string[]): RecordingCommand => ({ command: 'record', flags });
const ALL = record('--safety', 'all', '--products', '40');
const C = record('--safety', 'all', '--group', 'C', '--products', '40');
const GATEWAY: RecordingCommand = { command: 'gateway', flags: [] };

test.each([
  ['a part of it changes nothing', [ALL], C, [ALL]],
  [
    'all of it takes the place of parts',
    [C, record('--safety', 'all', '--group', 'D', '--products', '40')],
    ALL,
    [ALL],
  ],
  ['the same once more is said once', [C], C, [C]],
  [
    'another part stands beside',
    [C],
    record('--safety', 'all', '--group', 'D'),
    [C, record('--safety', 'all', '--group', 'D')],
  ],
  [
    'a wider class takes the place of a narrower one',
    [record('--safety', 'read')],
    record('--safety', 'job'),
    [record('--safety', 'job')],
  ],
  [
    'a narrower class changes nothing',
    [record('--safety', 'job')],
    record('--safety', 'read'),
    [record('--safety', 'job')],
  ],
  [
    'another world stands beside',
    [ALL],
    record('--safety', 'all', '--products', '100'),
    [ALL, record('--safety', 'all', '--products', '100')],
  ],
  [
    'all of it with another draw takes the place of the former',
    [record('--safety', 'all', '--depth', 'standard', '--sample-seed', '5'), C],
    record('--safety', 'all', '--products', '40', '--depth', 'quick', '--sample-seed', '7'),
    [
      record('--safety', 'all', '--depth', 'standard', '--sample-seed', '5'),
      record('--safety', 'all', '--products', '40', '--depth', 'quick', '--sample-seed', '7'),
    ],
  ],
  [
    'a part with another draw remains beside all of it',
    [ALL],
    record('--safety', 'all', '--group', 'C', '--products', '40', '--sample-seed', '7'),
    [ALL, record('--safety', 'all', '--group', 'C', '--products', '40', '--sample-seed', '7')],
  ],
  ['other clients stand beside', [ALL], GATEWAY, [ALL, GATEWAY]],
])('recording again: %s', (_, former, now, joined) => {
  expect(joinRecordingOptions(former, [now])).toEqual(joined);
});

test('a recording without options gets the widest possible ones', () => {
  expect(recordingOptionsOf({ source: 'live', safety: 'read' })).toEqual([record('--safety', 'read')]);
  expect(recordingOptionsOf({ source: 'live' })).toEqual([GATEWAY]);
  expect(recordingOptionsOf({ source: 'import' })).toEqual([{ command: 'import', flags: [] }]);
  expect(recordingOptionsOf({ source: 'simulator', safety: 'all', made: [C] })).toEqual([C]);
});

test('a profile digest depends on content, not on notation or secrets', () => {
  const of = (text: string, env = {}) => profileDigest(parseProfile(text, 'x.yaml', env));
  const bearer = (token: string) => `{ scheme: bearer, token: "${token}" }`;
  const one = of(`name: x\nimplements: [C]\nauth: ${bearer('one-token-1234')}`);
  expect(of(`# a comment\nauth: ${bearer('another-token')}\nimplements: [ C ]\nname: "x"`)).toBe(one);
  expect(of('name: x\nimplements: [C, D]')).not.toBe(one);
  expect(one).toMatch(/^sha256-[0-9a-f]{64}$/);
});
