/** Describes the interface in the dialect of a profile as an OpenAPI 3.1 document. Reads and sends nothing. */
import { GROUPS, OPERATIONS, type Operation, operationSummary, statementsAbout } from '../../../contract/index.ts';
import { isImplemented } from '../../filled-openings.ts';
import type { PlainObject } from '../../plain-object.ts';
import type { Profile, ProfileData } from '../../schema.ts';
import { DeclaredSchemas } from './declared-schemas.ts';
import { EXTENSION, operationExtension, profileExtension } from './extension.ts';
import { describeParameters, describeRequestBody } from './requests.ts';
import { chooseExample, responsesOf } from './responses.ts';
import { securityOf } from './security.ts';
import type { SampleExchange } from './types.ts';

export interface DialectDescription {
  /** The OpenAPI document, as JSON. */
  readonly document: PlainObject;
  /** Locations in the profile of functions and other code, which a document cannot contain. */
  readonly omitted: readonly string[];
}

export interface DescribeOptions {
  /** The URL of the server, without a path of the document. */
  readonly server: string;
  /** Exchanges with a simulator of the profile; the examples and the schemas of bodies are taken from them. */
  readonly samples: readonly SampleExchange[];
  /** Whether the value of a header is a credential, so that the document must not contain it. */
  readonly isSecretHeader: (name: string) => boolean;
}

function withoutSecretHeaders(data: ProfileData, isSecretHeader: DescribeOptions['isSecretHeader']): ProfileData {
  const { headers, ...rest } = data;
  const shown = Object.entries(headers ?? {}).filter(([name]) => !isSecretHeader(name));
  return shown.length > 0 ? { ...rest, headers: Object.fromEntries(shown) } : rest;
}

/**
 * Describes every operation that a profile implements. The extension `x-mdwi` contains the bindings of the profile, so
 * that `mdwi profile from-openapi` returns them.
 *
 * @example describeDialect(profile, { server: 'https://api.example', samples: [], isSecretHeader: () => false }).document.openapi // '3.1.0'
 */
export function describeDialect(
  profile: Profile,
  { server, samples, isSecretHeader }: DescribeOptions,
): DialectDescription {
  const data = withoutSecretHeaders(profile.data, isSecretHeader);
  const omitted = Object.keys(profile.data.headers ?? {})
    .filter(isSecretHeader)
    .map((name) => `headers.${name}`);
  const security = securityOf(data);
  const schemas = new DeclaredSchemas(profile.source);
  const byOperation = Map.groupBy(samples, ({ operation }) => operation);
  const paths: Record<string, Record<string, PlainObject>> = {};
  const groups = new Set<string>();

  const describe = (operation: Operation): PlainObject => {
    const { key, name, group } = operation;
    const declared = data.operations?.[key] ?? {};
    const { request, response = {} } = declared;
    const exchanges = byOperation.get(key) ?? [];
    const example = chooseExample(response, exchanges);
    const parameters = describeParameters(request ?? {}, data.headers ?? {}, key, example);
    const body = request && describeRequestBody(request, key, example);
    const requirement = security.requirementOf(key);
    return {
      operationId: name,
      summary: operationSummary(name),
      description: [
        ...statementsAbout(name),
        `The document names the operation (section ${operation.section}); parameters, bodies and errors are those of ${data.name}.`,
      ].join(' '),
      tags: [GROUPS[group].title],
      ...(requirement && { security: requirement }),
      ...(parameters.length > 0 && { parameters }),
      ...(body && { requestBody: body }),
      responses: responsesOf(profile, key, exchanges, example, (requirement ?? []).length > 0, (status) =>
        schemas.schemaOf(response, key, status),
      ),
      [EXTENSION]: operationExtension(declared, key, omitted),
    };
  };

  for (const operation of OPERATIONS) {
    const { key, group, path, method } = operation;
    if (!isImplemented(profile, key)) continue;
    groups.add(GROUPS[group].title);
    const full = `${data.prefixes?.[key] ?? data.prefixes?.[group] ?? ''}${path}`;
    paths[full] = { ...paths[full], [method.toLowerCase()]: describe(operation) };
  }
  const components = Object.fromEntries(
    Object.entries({ securitySchemes: security.securitySchemes, schemas: schemas.components }).filter(
      ([, each]) => Object.keys(each).length > 0,
    ),
  );
  const document = {
    openapi: '3.1.0',
    info: {
      title: data.name,
      version: '1',
      description: data.description ?? 'The Market Data Web Interface in the dialect of a profile.',
    },
    servers: [{ url: server }],
    tags: [...groups].map((name) => ({ name })),
    paths,
    ...(Object.keys(components).length > 0 && { components }),
    [EXTENSION]: profileExtension(data, omitted),
  };
  return { document, omitted };
}
