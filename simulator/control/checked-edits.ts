/** Checks what a user writes into a product, so that no edit makes the simulator deviate from the document. */
import { z } from 'zod';
import { isUpc } from '../../src/contract/index.ts';
import { describeIssue } from '../../src/profile/first-issue.ts';
import { ProductEditError, type ProductEdits, type ProductValues } from '../model/product-edits.ts';

const text = z.string().min(1).max(1000);
/** The members of a product that a user may set. */
export const productValues = z.strictObject({
  description: text.optional(),
  category: text.optional(),
  subCategory: text.optional(),
  manufacturer: text.optional(),
  brand: text.optional(),
  characteristics: z
    .array(z.strictObject({ name: text, value: text }))
    .max(100)
    .optional(),
} satisfies Record<keyof ProductValues, z.ZodType>);

function upcOf(upc: string): string {
  if (isUpc(upc)) return upc;
  throw new ProductEditError(`${JSON.stringify(upc)} is not a UPC: 12 digits are needed`);
}

function valuesOf(given: Partial<ProductValues>): Partial<ProductValues> {
  const checked = productValues.safeParse(given, { reportInput: true });
  if (checked.success) return checked.data;
  const { path, sentence } = describeIssue(productValues, checked.error.issues);
  throw new ProductEditError(path.length === 0 ? sentence : `${path.join('.')}: ${sentence}`);
}

/** Makes the edits of a simulation refuse what is no UPC and what is no member of a product. */
export const checkedEdits = (edits: ProductEdits): ProductEdits => ({
  add: (upc, values = {}) => edits.add(upcOf(upc), valuesOf(values)),
  change: (upc, values) => edits.change(upcOf(upc), valuesOf(values)),
  delist: (upc) => edits.delist(upcOf(upc)),
});
