from django.urls import path

from ladder.web.drafts import views

urlpatterns = [
    path("drafts/", views.drafts, name="drafts"),
    path("drafts/shared/<str:token>/", views.shared, name="shared-draft"),
    path("play/<slug:slug>/drafts/share/", views.share, name="share-draft"),
    path("play/<slug:slug>/drafts/<str:slot>/", views.draft, name="draft"),
]
