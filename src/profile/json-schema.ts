/** The profile's JSON Schema, for editors: `# yaml-language-server: $schema=…/profile.schema.json`. */
import { z } from 'zod';
import { profileSchema } from './schema.ts';

/** The schema of a profile file; selector functions exist in TypeScript only. */
export function profileJsonSchema(): object {
  return { title: 'mdwi profile', ...z.toJSONSchema(profileSchema, { io: 'input', unrepresentable: 'any' }) };
}
