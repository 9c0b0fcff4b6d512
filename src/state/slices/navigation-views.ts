import type {CamelKeys} from '#std/camel.ts';
import type {WireNavigationView} from '#wire/objects/personal.ts';

export type NavigationView = CamelKeys<WireNavigationView>;

export function navigationViewFromWire(wire: WireNavigationView): NavigationView {
  return {fragment: wire.fragment, isPinned: wire.is_pinned, name: wire.name ?? null};
}
