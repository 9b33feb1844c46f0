/** A selector as a profile writes it. */
import { z } from 'zod';
import { checkSelector, type SelectorFunction } from '../selector.ts';

export const selector = z
  .union([
    z.string().superRefine((text, context) => {
      const problem = checkSelector(text);
      if (problem) context.addIssue({ code: 'custom', message: problem });
    }),
    z.custom<SelectorFunction>((value) => typeof value === 'function', 'must be a function (in TypeScript)'),
  ])
  .describe(
    'Selector of a value: `@…` within a row, `$…` within the whole response (RFC 9535), or `$response.header.NAME`.',
  );

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

export const matchedPart = z
  .string()
  .refine(isPattern, 'is not a regular expression')
  .describe('The part of the text that is the value: a regular expression; its first group where it has one.');
