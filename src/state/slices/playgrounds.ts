import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {playgroundTemplate, type WirePlayground} from '#wire/objects/organization.ts';

export type Playground = CamelKeys<Omit<WirePlayground, 'url_prefix' | 'url_template'>> & {
  readonly urlTemplate: string;
};

export function playgroundFromWire(wire: WirePlayground): Playground {
  const {url_template: _template, url_prefix: _prefix, ...rest} = wire;
  return {...camelKeys(rest), urlTemplate: playgroundTemplate(wire)};
}
