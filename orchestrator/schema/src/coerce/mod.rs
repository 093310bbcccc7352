//! Coerce.
pub(crate) struct Coercer<'g> {
    report: crate::report::Report,
    _g: &'g crate::graph::Graph,
}
impl<'g> Coercer<'g> {
    pub(crate) fn new(g: &'g crate::graph::Graph) -> Self {
        Self { report: crate::report::Report::new(0), _g: g }
    }
    pub(crate) fn root(&mut self, _: u32, _: &mut crate::value::Value) {}
    pub(crate) fn into_report(self) -> crate::report::Report {
        self.report
    }
}
