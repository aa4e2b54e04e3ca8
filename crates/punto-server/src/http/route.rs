//! One table of routes: what there is, who may, what goes in and what comes out. The router, the guard, the description
//! of the API and the test that tries everybody at every door are all made from it.

use axum::handler::Handler;
use axum::http::Method;
use axum::routing::{MethodFilter, MethodRouter, on};
use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::app::App;
use crate::role::Role;
use crate::wire::Screen;

/// The schema of a type.
pub type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// Who may come in by a route. Whoever is not named may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Anybody. What they may do is decided by what they bring.
    Anyone,
    /// Devices of these kinds.
    Device(&'static [Screen]),
    /// Members of staff in these roles.
    Staff(&'static [Role]),
    /// Either.
    DeviceOrStaff(&'static [Screen], &'static [Role]),
}

impl Who {
    /// Devices of this kind may.
    pub fn admits_device(self, screen: Screen) -> bool {
        match self {
            Who::Anyone => true,
            Who::Device(screens) | Who::DeviceOrStaff(screens, _) => screens.contains(&screen),
            Who::Staff(_) => false,
        }
    }

    /// Members of staff in this role may.
    pub fn admits_staff(self, role: Role) -> bool {
        match self {
            Who::Anyone => true,
            Who::Staff(roles) | Who::DeviceOrStaff(_, roles) => roles.contains(&role),
            Who::Device(_) => false,
        }
    }
}

/// One method of one path.
#[derive(Clone)]
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path, with `{names}` for what changes.
    pub path: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Who may.
    pub who: Who,
    /// Whether passwords or invitations can be guessed here: only so often from one address.
    pub guessable: bool,
    /// Whether screens ask this by themselves, so that it says nothing about whoever is signed in.
    pub unattended: bool,
    /// Whether whoever must set up a second factor first may come in here: to set it up, and to sign out.
    pub enrols: bool,
    /// What may stand behind the `?`.
    pub query: Option<SchemaOf>,
    /// The body.
    pub body: Option<SchemaOf>,
    /// What is answered if all goes well; nothing, if none.
    pub answer: Option<SchemaOf>,
    /// What does it.
    pub service: MethodRouter<App>,
}

impl Route {
    /// A route to read by.
    pub fn get<H: Handler<T, App>, T: 'static>(
        path: &'static str,
        summary: &'static str,
        who: Who,
        handler: H,
    ) -> Route {
        Route::new(Method::GET, MethodFilter::GET, path, summary, who, handler)
    }

    /// A route to do something by.
    pub fn post<H: Handler<T, App>, T: 'static>(
        path: &'static str,
        summary: &'static str,
        who: Who,
        handler: H,
    ) -> Route {
        Route::new(Method::POST, MethodFilter::POST, path, summary, who, handler)
    }

    /// A route to put something in the place of something else.
    pub fn put<H: Handler<T, App>, T: 'static>(
        path: &'static str,
        summary: &'static str,
        who: Who,
        handler: H,
    ) -> Route {
        Route::new(Method::PUT, MethodFilter::PUT, path, summary, who, handler)
    }

    /// A route to change a part.
    pub fn patch<H: Handler<T, App>, T: 'static>(
        path: &'static str,
        summary: &'static str,
        who: Who,
        handler: H,
    ) -> Route {
        Route::new(Method::PATCH, MethodFilter::PATCH, path, summary, who, handler)
    }

    /// A route to end something.
    pub fn delete<H: Handler<T, App>, T: 'static>(
        path: &'static str,
        summary: &'static str,
        who: Who,
        handler: H,
    ) -> Route {
        Route::new(Method::DELETE, MethodFilter::DELETE, path, summary, who, handler)
    }

    fn new<H: Handler<T, App>, T: 'static>(
        method: Method,
        filter: MethodFilter,
        path: &'static str,
        summary: &'static str,
        who: Who,
        handler: H,
    ) -> Route {
        let service = on(filter, handler);
        let (guessable, unattended, enrols) = (false, false, false);
        let (query, body, answer) = (None, None, None);
        Route { method, path, summary, who, guessable, unattended, enrols, query, body, answer, service }
    }

    /// Takes this behind the `?`.
    #[must_use]
    pub fn asks<T: JsonSchema>(mut self) -> Route {
        self.query = Some(SchemaGenerator::subschema_for::<T>);
        self
    }

    /// Takes this as its body.
    #[must_use]
    pub fn takes<T: JsonSchema>(mut self) -> Route {
        self.body = Some(SchemaGenerator::subschema_for::<T>);
        self
    }

    /// Answers with this.
    #[must_use]
    pub fn gives<T: JsonSchema>(mut self) -> Route {
        self.answer = Some(SchemaGenerator::subschema_for::<T>);
        self
    }

    /// Screens ask this by themselves: it does not keep a session from ending.
    #[must_use]
    pub const fn unattended(mut self) -> Route {
        self.unattended = true;
        self
    }

    /// Open to whoever must set up a second factor first.
    #[must_use]
    pub const fn enrols(mut self) -> Route {
        self.enrols = true;
        self
    }

    /// Something can be guessed here.
    #[must_use]
    pub const fn guessable(mut self) -> Route {
        self.guessable = true;
        self
    }
}

impl std::fmt::Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}
