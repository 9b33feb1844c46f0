/** Loads the sample bodies that a profile refers to by file name. */
import { builtinModule } from '../builtin-module.ts';
import { isDeeperThan } from './plain-object.ts';
import { type FailAt, MAX_FILE_DEPTH, oneLine, TOO_DEEP } from './profile-location.ts';
import type { ProfileData } from './schema.ts';

const MAX_BYTES = 1 << 20;

/**
 * Returns the profile with each file name replaced by the body. Throws the error that `fail` creates.
 * @param file returns the path of the profile file, in Node only; names are resolved against its folder
 */
export function withSamples(data: ProfileData, file: () => string, fail: FailAt): ProfileData {
  const read = (key: string, name: string): unknown => {
    const wrong = (why: string) => fail(['operations', key, 'response', 'sample'], `${name} ${why}`);
    const { dirname, extname, resolve } = builtinModule('node:path');
    const { existsSync, readFileSync, statSync } = builtinModule('node:fs');
    const path = resolve(dirname(file()), name);
    if (extname(path) !== '.json') throw wrong('is neither a .json file nor an inline body');
    if (!existsSync(path)) throw wrong('does not exist; the path is relative to the folder of the profile');
    if (statSync(path).size > MAX_BYTES) throw wrong(`is larger than ${MAX_BYTES} bytes; a few rows are enough`);
    let sample: unknown;
    try {
      sample = JSON.parse(readFileSync(path, 'utf8'));
    } catch (error) {
      throw wrong(`is not JSON: ${oneLine((error as Error).message)}`);
    }
    if (isDeeperThan(sample, MAX_FILE_DEPTH)) throw wrong(TOO_DEEP);
    return sample;
  };
  const operations = Object.entries(data.operations ?? {}).map(([key, operation]) => {
    const sample = operation?.response?.sample;
    if (typeof sample !== 'string') return [key, operation];
    return [key, { ...operation, response: { ...operation?.response, sample: read(key, sample) } }];
  });
  return data.operations ? { ...data, operations: Object.fromEntries(operations) } : data;
}
