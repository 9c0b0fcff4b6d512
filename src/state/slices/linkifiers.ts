import {keepIfEqual} from '#state/model/immutable-updates.ts';
import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {urlTemplate, type WireLinkifier} from '#wire/objects/organization.ts';
import {savedList} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

export type Linkifier = CamelKeys<Omit<WireLinkifier, 'url_format' | 'url_template'>> & {
  readonly urlTemplate: string;
};

function linkifierFromWire(wire: WireLinkifier): Linkifier {
  const {url_template: _template, url_format: _format, ...rest} = wire;
  return {...camelKeys(rest), urlTemplate: urlTemplate(wire)};
}

/** In the order in which they apply. */
export const linkifiers: Slice<readonly Linkifier[], 'realm_linkifiers'> = {
  initial: [],
  registered: fromSnapshot(['realm_linkifiers'], ({realm_linkifiers = []}) => realm_linkifiers.map(linkifierFromWire)),
  saved: savedList({pattern: 'string', urlTemplate: 'string'}),
  appliers: {
    realm_linkifiers: (before, event) => keepIfEqual(before, event.realm_linkifiers.map(linkifierFromWire)),
  },
};
