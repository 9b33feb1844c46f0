/** Tables of codes: one response holds a code, another one, or the profile, its meaning. */
import { z } from 'zod';
import { INPUT_NAMES } from '../../contract/index.ts';
import { optional, reject } from './keys.ts';
import { scalarSchema } from './request.ts';
import { operationKey, value, valueProblem } from './response.ts';
import { selector } from './selector.ts';
import { shape } from './shape.ts';

const inline = z
  .record(z.string(), z.string().min(1))
  .refine((table) => !Object.hasOwn(table, 'from'), 'from must be the key of an operation of the document')
  .describe('The meaning of each code: all codes that there are.');

const fromOperation = z
  .strictObject({
    from: operationKey.describe('The operation that lists the codes with their meanings.'),
    inputs: optional(
      z.partialRecord(z.enum(INPUT_NAMES), scalarSchema),
      'The inputs of its request; default: none, in group B the first examples.',
    ),
    rows: optional(selector, 'Selector of the entries; default: response.rows of the operation.'),
    shape: optional(shape, 'How nodes become entries; default: response.shape, without `rows` here.'),
    code: value.describe('Selector of the code in an entry.'),
    meaning: value.describe('Selector of the meaning in an entry.'),
  })
  .superRefine((table, context) => {
    for (const key of ['code', 'meaning'] as const) {
      const problem = valueProblem(`the ${key}`, key === 'code' ? 'id' : 'text', table[key]);
      if (problem) reject(context, [key], problem);
    }
  });

export const codeTable = z.union([fromOperation, inline]);

export const codes = z
  .record(z.string().min(1), codeTable)
  .describe('Tables of codes by name: inline, or listed by an operation. `code` of a field names its table.');

export type CodeTableSource = z.output<typeof codeTable>;
export type ListedCodes = z.output<typeof fromOperation>;
