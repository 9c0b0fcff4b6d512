import type {ServerContext} from '#server/context.ts';
import {type LinkifierRow, linkifierRows} from '#server/db/linkifiers.ts';
import type {WireLinkifier} from '#wire/objects/linkifier.ts';

function linkifierView(row: LinkifierRow): WireLinkifier {
  return {
    id: row.id,
    pattern: row.pattern,
    url_template: row.url_template,
    example_input: row.example_input,
    reverse_template: row.reverse_template,
    alternative_url_templates: JSON.parse(row.alternative_url_templates),
  };
}

export function linkifierViews(server: Pick<ServerContext, 'derivedFacts'>): WireLinkifier[] {
  return server.derivedFacts.get(linkifierRows).map(linkifierView);
}
