import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {urlTemplate, type WireLinkifier} from '#wire/objects/organization.ts';

export type Linkifier = CamelKeys<Omit<WireLinkifier, 'url_format' | 'url_template'>> & {
  readonly urlTemplate: string;
};

export function linkifierFromWire(wire: WireLinkifier): Linkifier {
  const {url_template: _template, url_format: _format, ...rest} = wire;
  return {...camelKeys(rest), urlTemplate: urlTemplate(wire)};
}
