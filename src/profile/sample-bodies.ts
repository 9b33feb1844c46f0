/** Sample bodies that a profile names by their file. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { type FailAt, oneLine } from './profile-location.ts';
import type { ProfileData } from './schema.ts';

const MAX_BYTES = 1 << 20;

/**
 * The profile with the bodies in the place of their files’ names. Throws what `fail` makes.
 * @param file the profile’s file, beside which the others are sought
 */
export function withSamples(data: ProfileData, file: string, fail: FailAt): ProfileData {
  const read = (key: string, name: string): unknown => {
    const wrong = (why: string) => fail(['operations', key, 'response', 'sample'], `${name} ${why}`);
    const path = resolve(dirname(file), name);
    if (extname(path) !== '.json') throw wrong('is no .json file, nor a body written here');
    if (!existsSync(path)) throw wrong('is not there; it is sought beside the profile');
    if (statSync(path).size > MAX_BYTES) throw wrong(`is larger than ${MAX_BYTES} bytes; a few rows are enough`);
    try {
      return JSON.parse(readFileSync(path, 'utf8'));
    } catch (error) {
      throw wrong(`is not JSON: ${oneLine((error as Error).message)}`);
    }
  };
  const operations = Object.entries(data.operations ?? {}).map(([key, operation]) => {
    const sample = operation?.response?.sample;
    if (typeof sample !== 'string') return [key, operation];
    return [key, { ...operation, response: { ...operation?.response, sample: read(key, sample) } }];
  });
  return data.operations ? { ...data, operations: Object.fromEntries(operations) } : data;
}
