/** The configuration's JSON Schema, for editors: `# yaml-language-server: $schema=…/config.schema.json`. */
import { z } from 'zod';
import { configSchema } from './schema.ts';

/** The schema of a configuration file. */
export function configJsonSchema(): object {
  return { title: 'mdwi configuration', ...z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }) };
}
