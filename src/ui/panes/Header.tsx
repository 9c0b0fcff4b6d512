import {memo} from 'react';
import {headerLines} from '#app/chrome/header.ts';
import type {Rect} from '#app/layout/layout.ts';
import {CachedMessagePane} from '#ui/Pane.tsx';

export const Header = memo(function Header({rect}: {readonly rect: Rect}) {
  return <CachedMessagePane rect={rect} lines={headerLines} label="Header" />;
});
