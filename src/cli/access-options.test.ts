import { expect, test } from 'vitest';
import { accessOf } from './access-options.ts';

test('hosts and origins of a command line are taken as they are', () => {
  const given = { 'allow-host': ['ci.example', '10.0.0.7:9000'], cors: ['http://localhost:5173', '*'] };
  expect(accessOf(given)).toEqual({ allowHosts: given['allow-host'], cors: given.cors });
  expect(accessOf({})).toEqual({ allowHosts: [], cors: [] });
});

test.each([
  [{ 'allow-host': ['*'] }, '--allow-host "*": a host name or address is needed'],
  [{ 'allow-host': ['http://ci.example'] }, '--allow-host "http://ci.example"'],
  [{ cors: ['localhost:5173'] }, '--cors "localhost:5173": an origin as browsers send it is needed'],
  [{ cors: ['https://app.example/'] }, '--cors "https://app.example/"'],
])('%j is refused in one sentence', (given, says) => {
  expect(() => accessOf(given)).toThrow(says);
});
