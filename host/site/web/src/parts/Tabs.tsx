/** Choices of which one holds, as links: each is an address of its own. */

export interface Tab { id: string; label: string; href: string }

export function Tabs({ tabs, current, label }: { tabs: readonly Tab[]; current: string; label: string }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.id} href={tab.href} aria-current={tab.id === current ? "page" : undefined}>{tab.label}</a>
      ))}
    </nav>
  );
}
