/** A section of the back office that has its place and its guard, and nothing in it yet. */
export function AdminSection({ title }: { title: string }) {
  return (
    <>
      <h1>{title}</h1>
      <p className="soft">This section is not open yet.</p>
    </>
  );
}
