/**
 * The random functions of `node:crypto` and `Math` for tests: equal in every run of a test file, so that a failure can be
 * repeated. SEED=number draws other values.
 */
import { createHash } from 'node:crypto';

const seed = Number(process.env.SEED ?? 20261121);
let count = 0;

export const randomBytes = (size: number): Buffer =>
  createHash('shake256', { outputLength: size }).update(`${seed} ${count++}`).digest();

/** In [0, 1). */
export const random = (): number => randomBytes(4).readUInt32BE() / 2 ** 32;

/** A whole number of [least, end). */
export const randomInt = (least: number, end: number): number => least + Math.floor(random() * (end - least));

export const randomUUID = (): string =>
  randomBytes(16)
    .toString('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
