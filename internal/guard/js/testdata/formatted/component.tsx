// @ts-nocheck
import React, { type ReactNode, useState } from "react";
const useIt = <T,>(x: T) => x, other = <T extends object>(x: T): T => x, third = <const T,>(x: T) => x;
export default function App<P>({ items, onClick }: { items: P[]; onClick?: (e: Event) => void }): JSX.Element | null {
  const [n, setN] = useState<number | null>(null);
  if (!items) return null;
  return (
    <Table<P> rows={items} onClick={() => setN(prev => (prev ?? 0) + 1)}>
      {items.length > 0 && <span title="a &amp; b">{n as number} of {items.length}</span>}
      text with &nbsp; entities, 'quotes' and {`template ${n}`}
      {...children}
      <ns:tag data-a-b='"' />{"  "}{cond ? <A /> : <B>{" "}x</B>}
    </Table>
  );
}
const less = a < b, more = (a as number) > b;
