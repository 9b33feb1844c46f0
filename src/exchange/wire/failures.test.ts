import { describe, expect, test } from 'vitest';
import { FAILURE_KINDS } from '../types.ts';
import { classifyError, failureOf } from './failures.ts';

const withCode = (code: string, message = 'why') => Object.assign(new Error(message), { code });

describe('kindOf', () => {
  test.each([
    ['ECONNREFUSED', 'refused'],
    ['EHOSTUNREACH', 'refused'],
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
    ['EPROTO', 'tls'],
    ['ECONNRESET', 'reset'],
    ['EPIPE', 'reset'],
    ['UND_ERR_SOCKET', 'reset'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
    ['UND_ERR_BODY_TIMEOUT', 'timeout'],
    ['UND_ERR_HEADERS_OVERFLOW', 'protocol'],
    ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'truncated'],
    ['UND_ERR_DESTROYED', 'stopped'],
  ])('%s is %s', (code, kind) => {
    expect(classifyError(withCode(code), { started: false })).toMatchObject({ kind, detail: 'why' });
  });

  test.each([
    ['CERT_HAS_EXPIRED', '', 'has expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', '', 'another host name'],
    ['SELF_SIGNED_CERT_IN_CHAIN', '', '--ca FILE'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', '', 'client certificate'],
    ['EPROTO', 'ssl3_get_record:wrong version number', 'http://'],
  ])('%s says what to do', (code, message, advice) => {
    expect(classifyError(withCode(code, message), { started: false })?.advice).toContain(advice);
  });

  test('a reset after the head is a truncation', () => {
    expect(classifyError(withCode('ECONNRESET'), { started: true })?.kind).toBe('truncated');
    expect(classifyError(withCode('UND_ERR_BODY_TIMEOUT'), { started: true })?.kind).toBe('timeout');
  });

  test('the message decides where the code does not', () => {
    const hungUp = 'Client network socket disconnected before secure TLS connection was established';
    expect(classifyError(withCode('ECONNRESET', hungUp), { started: false })?.kind).toBe('tls');
    expect(classifyError(withCode('UND_ERR_SOCKET', 'bad upgrade'), { started: false })?.kind).toBe('protocol');
  });

  test('causes and aggregated errors are searched; cycles end', () => {
    expect(classifyError(new Error('outer', { cause: withCode('ENOTFOUND') }), { started: false })).toEqual({
      kind: 'dns',
      detail: 'outer',
    });
    expect(classifyError(new AggregateError([withCode('ECONNREFUSED')]), { started: false })).toEqual({
      kind: 'refused',
      detail: 'why',
    });
    const circle = new Error('round');
    circle.cause = circle;
    expect(classifyError(circle, { started: false })).toBeUndefined();
  });

  test('internal errors are not failures', () => {
    for (const own of [
      new TypeError('x is not a function'),
      withCode('UND_ERR_INVALID_ARG'),
      withCode('ENOSPC'),
      'text',
    ])
      expect(classifyError(own, { started: true })).toBeUndefined();
  });
});

test('every kind has a sentence that names the request without its query', () => {
  for (const kind of FAILURE_KINDS) {
    const { message } = failureOf(kind, 'POST', 'http://h/p?key=s3cret', 'detail');
    expect(message).toMatch(/^POST http:\/\/h\/p: .{20,} \(detail\)$/);
  }
});
