import type {World} from '#server/context.ts';
import {type LinkifierRow, linkifiers} from '#server/db/linkifiers.ts';
import type {Linkifier} from '#wire/objects/linkifier.ts';

export function linkifierView(row: LinkifierRow): Linkifier {
  return {
    id: row.id,
    pattern: row.pattern,
    url_template: row.url_template,
    example_input: row.example_input,
    reverse_template: row.reverse_template,
    alternative_url_templates: JSON.parse(row.alternative_url_templates),
  };
}

export function linkifierViews(world: Pick<World, 'memory'>): Linkifier[] {
  return world.memory.recall(linkifiers).map(linkifierView);
}
