/** JSONPath’s `match()` and `search()` (RFC 9535, 2.4.6 and 2.4.7) with patterns that cannot hang the process. */
import { jsonpath } from 'json-p3';
import { compilePattern } from './pattern/index.ts';

const { FunctionExpressionType, Match } = jsonpath.functions;

/** Checks I-Regexps (RFC 9485): configured to throw for any other text. */
const checker = new Match({ throwErrors: true, cacheSize: 0 });

function isPattern(text: string): boolean {
  try {
    checker.call('', text);
    return true;
  } catch {
    return false;
  }
}

/** A dot of an I-Regexp is any character but \n and \r. */
const toEcmaScript = (text: string): string =>
  text.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\./gs, (part) => (part === '.' ? '[^\\n\\r]' : part));

/** @param wrap converts the I-Regexp into the pattern of the function */
function functionOf(name: string, wrap: (pattern: string) => string): jsonpath.functions.FilterFunction {
  // A query usually has one pattern.
  let [last, isValid]: [string | undefined, boolean] = [undefined, false];
  const fits = (text: string, pattern: string): boolean => {
    if (pattern !== last) [last, isValid] = [pattern, isPattern(pattern)];
    return isValid && compilePattern(wrap(toEcmaScript(pattern)), { key: `${name}()` }).test(text);
  };
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call: (text: unknown, pattern: unknown) =>
      typeof text === 'string' && typeof pattern === 'string' && fits(text, pattern),
  };
}

/** The functions by name. */
export const PATTERN_FUNCTIONS = {
  match: functionOf('match', (pattern) => `^(?:${pattern})$`),
  search: functionOf('search', (pattern) => pattern),
};
