/** Reads the tables of codes that a single request needs, outside a run. */
import type { Profile } from '../profile/schema.ts';
import type { CodeTable, CodeTables } from '../reading/code-table.ts';
import { readCodeTable, tablesNeeded } from './code-tables.ts';
import { inlineTables } from './coded-fields.ts';
import { fetchRequest } from './fetch-request.ts';
import type { FetchContext, RequestSpec } from './request-spec.ts';

/**
 * The tables that a request and its response need. Sends a request for each that an operation lists, unless `known` contains
 * it already, and adds it there.
 */
export async function fetchCodeTables(
  context: Pick<FetchContext, 'base' | 'source'> & { readonly profile: Profile },
  spec: RequestSpec,
  known: Map<string, CodeTable> = new Map(),
): Promise<CodeTables> {
  const tables = new Map(inlineTables(context.profile));
  for (const each of tablesNeeded(context.profile, spec)) {
    const { name, source, inputs } = each;
    let table = known.get(name);
    if (!table) {
      const request: RequestSpec = { operation: source.from, inputs, variant: {}, repetition: 0 };
      const result = await fetchRequest(request, [], {
        ...context,
        followsRedirects: true,
        onExchange: () => undefined,
      });
      table = await readCodeTable(context.profile, each, [result]);
      known.set(name, table);
    }
    tables.set(name, table);
  }
  return tables;
}
